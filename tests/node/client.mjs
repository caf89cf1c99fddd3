// Runs the socket.io-client that browsers use. It reports each event of the client as one
// JSON line, and reads commands, one JSON line each: ["emit", event, ...args],
// ["connect"] (sends a second connect packet) or ["close"].
import { createInterface } from "node:readline";
import { io } from "socket.io-client";

const [url, token, transports] = process.argv.slice(2);
const report = (...values) => console.log(JSON.stringify(values));

const socket = io(url, {
  path: "/api/socket-entry",
  auth: { token },
  transports: transports.split(","),
  reconnection: false,
});

report("created", socket.io.engine.transport.name);
socket.on("connect", () => report("connect", socket.io.engine.transport.name));
socket.on("connect_error", (error) => report("connect_error", error.message));
socket.on("disconnect", (reason) => report("disconnect", reason));
socket.io.engine.on("upgrade", (transport) => report("upgrade", transport.name));
socket.onAny((event, ...args) => report("event", event, ...args));

createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, ...rest] = JSON.parse(line);
  if (command === "emit") {
    const [event, ...args] = rest;
    socket.timeout(5000).emit(event, ...args, (error, ack) => report("ack", event, error ? String(error) : ack));
  } else if (command === "connect") {
    socket.packet({ type: 0, data: { token } });
  } else {
    socket.close();
    process.exit(0);
  }
});
