// A real socket.io-client, as a browser has it. It prints one JSON line for each thing
// that happens, and takes one JSON line for each thing to do: ["emit", event, ...args],
// ["connect"] (a second one, by hand) or ["close"].
import { createInterface } from "node:readline";
import { io } from "socket.io-client";

const [url, token, transports] = process.argv.slice(2);
const say = (...what) => console.log(JSON.stringify(what));

const socket = io(url, {
  path: "/api/socket-entry",
  auth: { token },
  transports: transports.split(","),
  reconnection: false,
});

say("begun", socket.io.engine.transport.name);
socket.on("connect", () => say("connect", socket.io.engine.transport.name));
socket.on("connect_error", (error) => say("connect_error", error.message));
socket.on("disconnect", (reason) => say("disconnect", reason));
socket.io.engine.on("upgrade", (transport) => say("upgrade", transport.name));
socket.onAny((event, ...args) => say("event", event, ...args));

createInterface({ input: process.stdin }).on("line", (line) => {
  const [what, ...rest] = JSON.parse(line);
  if (what === "emit") {
    const [event, ...args] = rest;
    socket.timeout(5000).emit(event, ...args, (error, ack) =>
      say("ack", event, error ? String(error) : ack));
  } else if (what === "connect") {
    socket.packet({ type: 0, data: { token } });
  } else {
    socket.close();
    process.exit(0);
  }
});
