// @ts-check
/** Questions to the studio behind the page. @module */

/** Problems that the studio found; each has `where`, `message` and `suggestion`. */
export class Refused extends Error {
  /** @param {{ where: string, message: string, suggestion: string | null }[]} problems @param {number} status */
  constructor(problems, status) {
    super(problems.map(({ where, message, suggestion }) => `${where && `${where}: `}${message}${suggestion ? ` (${suggestion})` : ""}`).join("\n"));
    this.problems = problems;
    this.status = status;
  }
}

/** Jobs of one page do not stop those of another. */
const page = Math.random().toString(36).slice(2);

/** Who answers: the studio behind the page, or a league of a server. */
const answering = { address: "/api/", silence: { message: "the studio has ended", suggestion: "start fracas studio again" } };

/** Ask a league. @param {string} address */
export function askAt(address) {
  answering.address = address;
  answering.silence = { message: "the server does not answer", suggestion: "what you write is kept on this device" };
}

/** @param {string} name @param {any} body @param {AbortSignal} [signal] */
async function post(name, body, signal) {
  const response = await fetch(`${answering.address}${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...body, page }),
    signal,
  }).catch((error) => {
    throw error.name === "AbortError" ? error : new Refused([{ where: "", ...answering.silence }], 0);
  });
  if (response.ok) return response;
  const isJson = /^application\/(problem\+)?json/.test(response.headers.get("Content-Type") ?? "");
  const told = isJson ? await response.json() : { detail: (await response.text()).trim() };
  const why = told.detail ?? (told.changed ? "changed" : "stopped");
  throw new Refused(told.problems?.length ? told.problems : [{ where: "", message: why, suggestion: null }], response.status);
}

/** The answer to a question. @param {string} name @param {any} [body] @param {AbortSignal} [signal] @returns {Promise<any>} */
export const ask = async (name, body = {}, signal = undefined) => (await post(name, body, signal)).json();

/**
 * An answer that comes bit by bit.
 *
 * @param {string} name
 * @param {any} body
 * @param {(part: any) => void} take
 * @param {AbortSignal} signal
 */
export async function listen(name, body, take, signal) {
  const response = await post(name, body, signal);
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(JSON.parse(line));
  }
}

/** Whether an error only says that nobody waits any more. @param {any} error */
export const isStopped = (error) => error?.name === "AbortError" || (error instanceof Refused && error.status === 409 && error.message === "stopped");
