// The service worker is checked by itself: what is global there is not in a page.

/** sw.js runs as a service worker only. */
interface WorkerGlobalScope {
  clients: Clients;
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "notificationclick", listener: (event: NotificationEvent) => void): void;
}
