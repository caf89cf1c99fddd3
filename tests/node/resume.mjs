// The JavaScript module of clients/ with the real socket.io-client, as a program that
// prints one JSON line an event, and its states on the standard error. It takes what the
// Python module takes as a program: [--after SEQ] URL TOKEN ROOM...
import { io } from "socket.io-client";
import { connect } from "../../clients/js/glassflow.js";

const given = process.argv.slice(2);
const after = given[0] === "--after" ? given.splice(0, 2)[1] : undefined;
const [url, token, ...rooms] = given;
const say = (line) => console.log(JSON.stringify(line));

const live = connect(io, url, {
  token,
  rooms,
  after,
  retry: 200,
  socket: { reconnectionDelay: 100, reconnectionDelayMax: 300 },
  onEvent: (event, data, meta) => say({ event, data, ...meta }),
  onReset: (reset) => say({ reset }),
  onState: (state, detail) => {
    console.error(state, JSON.stringify(detail));
    if (state === "refused") process.exitCode = 1;
  },
});

process.on("SIGINT", () => live.close());
