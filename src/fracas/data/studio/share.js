// @ts-check
/** Links that hold a document: compressed, in the part of an address that browsers do not send. @module */

/** The largest document that a link may unfold to, in bytes. */
export const LARGEST = 256 * 1024;

/** @param {Uint8Array<ArrayBuffer>} bytes @param {any} transform @param {number} most */
async function through(bytes, transform, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new Error(`the link holds more than ${most.toLocaleString("en")} bytes`);
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text */
function unbase64url(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new Error("the link holds characters that do not belong there");
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

/** The part of a link from # on, for plain values. @param {any} value */
export async function fragmentOf(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  if (bytes.length > LARGEST) throw new Error(`this is larger than ${LARGEST.toLocaleString("en")} bytes, the most that a link holds; share the file`);
  return `#doc=${base64url(await through(bytes, new CompressionStream("deflate-raw"), 2 * LARGEST))}`;
}

/**
 * The values that a link holds; null if it holds none.
 *
 * @param {string} link A whole link, or its part from # on.
 * @returns {Promise<any>}
 */
export async function valueOf(link) {
  const fragment = link.slice(link.indexOf("#") + 1);
  const held = fragment.split("&").find((part) => part.startsWith("doc="));
  if (held === undefined) return null;
  if (held.length > 2 * LARGEST) throw new Error("the link is too long");
  try {
    const bytes = await through(unbase64url(held.slice(4)), new DecompressionStream("deflate-raw"), LARGEST);
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const message = /** @type {Error} */ (error).message;
    if (message.startsWith("the link")) throw error;
    throw new Error("the link is not complete, or was changed on its way");
  }
}

/** A document of a link: a name and a text. @param {any} value @returns {{ name: string, text: string }} */
export function documentOf(value) {
  const { name, text } = value ?? {};
  if (typeof text !== "string" || typeof name !== "string" || name.length > 200) throw new Error("the link holds no document");
  return { name, text };
}
