// Runs the JavaScript module of clients/ with socket.io-client. It prints each event as one
// JSON line, and the states to standard error. The arguments are those of the Python
// module when it is run as a program: [--after SEQ] URL TOKEN ROOM...
import { io } from "socket.io-client";
import { connect } from "../../clients/js/glassflow.js";

const args = process.argv.slice(2);
const after = args[0] === "--after" ? args.splice(0, 2)[1] : undefined;
const [url, token, ...rooms] = args;
const print = (line) => console.log(JSON.stringify(line));

const live = connect(io, url, {
  token,
  rooms,
  after,
  retry: 200,
  socket: { reconnectionDelay: 100, reconnectionDelayMax: 300 },
  onEvent: (event, data, meta) => print({ event, data, ...meta }),
  onReset: (reset) => print({ reset }),
  onState: (state, detail) => {
    console.error(state, JSON.stringify(detail));
    if (state === "refused") process.exitCode = 1;
  },
});

process.on("SIGINT", () => live.close());
