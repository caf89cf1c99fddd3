// A service for the modules under test: `fetch` answers with what a test has put in line.
export const calls = [];
/** How often the service was asked whether it answers, and had no answer in line. */
export const unreached = [];
const answers = [];

globalThis.fetch = async (path, options) => {
  if (path === "/api/health") {
    if (answers.length) return new Response('{"success":true}');
    unreached.push(path);
    throw new TypeError("fetch failed");
  }
  calls.push({ path, ...options });
  const answer = answers.shift();
  if (!answer) throw new TypeError("fetch failed");
  return answer;
};

export function answer(status, body, headers = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  answers.push(new Response(text, { status, headers }));
}

export function answerLogin({ token = "t1", expiresIn = 43200, name = "Nok" } = {}) {
  answer(200, { success: true, data: { token, expiresIn, worker: { name } } });
}

export function refuse(status, message = "refused", headers = {}) {
  answer(status, { success: false, message }, headers);
}

export function forget() {
  calls.length = answers.length = 0;
}

/** What browsers have as `localStorage`. */
export class FakeStorage {
  constructor() {
    const methods = {
      setItem: (name, value) => (this[name] = String(value)),
      getItem: (name) => this[name] ?? null,
      removeItem: (name) => delete this[name],
    };
    for (const [name, value] of Object.entries(methods))
      Object.defineProperty(this, name, { value, enumerable: false });
  }
}
