// A minimal Socket.IO server: one room, and a POST that emits into it.
import { createServer } from "node:http";
import { createAdapter } from "@socket.io/redis-adapter";
import { createClient } from "redis";
import { Server } from "socket.io";

const EVENT = "material:updated";
const ROOM = "inventory";
let payload = {};

const http = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    const asked = body ? JSON.parse(body) : {};
    if (request.url === "/bench/payload") payload = asked;
    if (request.url === "/bench/emit") emitAll(asked);
    response.setHeader("Content-Type", "application/json");
    response.end('{"success":true,"message":"ok","data":{"status":"ok"}}');
  });
});
const io = new Server(http, { path: "/api/socket-entry", transports: ["websocket"] });

function emit(number) {
  const meta = { id: `bench-${number}`, seq: number, at: new Date().toISOString() };
  const data = { ...payload.data, name: `bench-${number}` };
  const sent = Number(process.hrtime.bigint());
  io.to(ROOM).emit(EVENT, { ...payload, data, sent }, meta);
}

function emitAll({ first, times, every }) {
  emit(first);
  if (times > 1) {
    const next = { first: first + 1, times: times - 1, every };
    setTimeout(emitAll, every * 1000, next);
  }
}

io.on("connection", (socket) => {
  socket.on("join_inventory", (...args) => {
    socket.join(ROOM);
    args.at(-1)({ ok: true, room: ROOM, seq: 0 });
  });
});
if (process.env.REDIS_URL) {
  const one = createClient({ url: process.env.REDIS_URL });
  const other = one.duplicate();
  await Promise.all([one.connect(), other.connect()]);
  io.adapter(createAdapter(one, other));
}
http.keepAliveTimeout = 75_000;
http.listen(Number(process.env.PORT), "127.0.0.1");
