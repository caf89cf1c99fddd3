// What the pages rely on and TypeScript does not know.

type SignalOf<T> = import("@preact/signals").Signal<T>;

/** Who uses the page: core/session.js. */
interface Session {
  state: string;
  worker?: any;
  permissions?: string[];
  mustChangePassword?: boolean;
  deviceIdleS?: number;
  qrPrefix?: string;
  timezone?: string;
  workingHours?: WorkingHours | null;
  mostPanes?: number;
  isDemo?: boolean;
  workshop?: { th: string; en: string };
  offline?: boolean;
  ended?: boolean;
  error?: any;
  retryAt?: number;
}

/** Minutes that are alternately not worked and worked, and how many a usual working day has. */
interface Hours {
  runs: number[];
  dayMinutes: number;
}

/** When the workshop works: its hours from a moment (ISO) on, and those of the stations, by id, that work otherwise. */
interface WorkingHours extends Hours {
  since: string;
  stations: { [station: string]: Hours };
}

/** Whether events arrive: core/events.js. */
interface Connection {
  state: string;
  completeAt: number;
  seq?: number;
}

/** What the pages look for are elements of HTML. */
interface ParentNode {
  querySelectorAll(selectors: "dialog[open]"): NodeListOf<HTMLDialogElement>;
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}

/** What is clicked is an element, or the document, which lacks the method. */
interface EventTarget {
  closest?(selectors: string): HTMLAnchorElement | null;
}

/** Only some browsers have it. */
declare var BarcodeDetector: any;

/** Node.js, which runs the tests, has it: it would wait for the channel. */
interface BroadcastChannel {
  unref?(): void;
}
