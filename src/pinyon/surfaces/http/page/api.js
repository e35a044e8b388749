// Api: questions to the server, and what can go wrong with them.

const KEY = "pinyon.token";

/** The server refused. `type` is a name to decide by; `remedy` says what to do. */
export class Problem extends Error {
  constructor(status, { type = "", message = "", remedy = "", ...more } = {}) {
    super(message || `The server answered ${status}.`);
    Object.assign(this, { ...more, status, type, remedy });
  }
}

/** The server does not answer at all. */
export class Gone extends Error {}

let askForToken = async () => null;
let asking = null;
let declined = false;

/** `ask` is called with a problem and gives a token, or null where none was given. */
export function onToken(ask) {
  askForToken = ask;
}

/** After somebody gave no token, they are asked for one again with the next question only. */
export function forgive() {
  declined = false;
}

/** A token in the address moves into the session, and out of the address. */
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get("token");
  if (token === null) return;
  sessionStorage.setItem(KEY, token);
  given.delete("token");
  history.replaceState(null, "", `${location.pathname}#${given}`);
}

/** The JSON of an answer. Asks for a token where one is needed, then again with it.
 * Throws Problem, Gone, or an AbortError. */
export async function ask(method, path, { body, signal } = {}) {
  for (;;) {
    const token = sessionStorage.getItem(KEY);
    const answer = await sent(method, path, body, token, signal);
    if (answer.ok) return answer.json();
    const problem = new Problem(answer.status, await reason(answer));
    if (answer.status !== 401) throw problem;
    if (token !== sessionStorage.getItem(KEY)) continue;
    if (declined) throw problem;
    asking ??= askForToken(problem).finally(() => (asking = null));
    const given = await asking;
    declined = given === null;
    if (declined) throw problem;
    sessionStorage.setItem(KEY, given);
  }
}

export const get = (path, how) => ask("GET", path, how);
export const post = (path, body, how) => ask("POST", path, { ...how, body });

/** The path of what belongs to a record, like its history. */
export const of = (id, what) => `/v1/records/${encodeURIComponent(id)}/${what}`;

export const byIds = (...ids) =>
  `/v1/records?${ids.map((id) => `id=${encodeURIComponent(id)}`).join("&")}`;

async function sent(method, path, body, token, signal) {
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    return await fetch(path, { method, headers, signal, body: body && JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Gone("The server does not answer.");
  }
}

async function reason(answer) {
  try {
    return (await answer.json()).error;
  } catch {
    return {};
  }
}
