// @ts-check
/** Ways to take a battle along: a link to a moment, the page as a file, a frame for another page, a still. @module */

import { h, styled } from "./dom.js";

/** Whether the page came from a server or a site, not from a disk or out of another page. */
const isOnWeb = () => /^https?:$/u.test(location.protocol);

/** Copy a text, or show it to be copied. @param {string} text @param {string} done @param {(said: string) => void} say */
async function copyText(text, done, say) {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say(text);
  }
}

/** Hand a text or picture to the browser as a file. @param {string} name @param {Blob} content */
function saveFile(name, content) {
  const address = URL.createObjectURL(content);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A name for files of a battle. @param {string} title */
const fileName = (title) => title.toLowerCase().replace(/[^a-z0-9]+/gu, "-").replace(/^-+|-+$/gu, "").slice(0, 60) || "battle";

/** The address of a frame for other pages: on a server the one page that may be framed. */
function frameAddress() {
  const match = /^\/m\/([^/]+)\/legs\/(\d+)\/player$/u.exec(location.pathname);
  if (match === null) return location.href.replace(/#.*$/u, "");
  return `${location.origin}/embed/m/${match[1]}${match[2] === "0" ? "" : `?leg=${match[2]}`}`;
}

/** The stage as it is now, as SVG: its elements with the page's own styles. @param {any} screen */
export function stillOf(screen) {
  const { width, height } = screen.getBoundingClientRect();
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText)).join("\n");
  const scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const shown = screen.cloneNode(true);
  for (const cover of shown.querySelectorAll(".cover")) cover.remove();
  // Heights that follow the window would follow the drawing instead.
  const sights = [...shown.querySelectorAll(".sight")];
  [...screen.querySelectorAll(".sight")].forEach((sight, at) => styled(sights[at], "flex", `0 0 ${sight.clientHeight}px`));
  const body = new XMLSerializer().serializeToString(shown);
  const style = rules.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<style>${style} :root { color-scheme: ${scheme}; }</style><foreignObject width="${width}" height="${height}">` +
    `<div xmlns="http://www.w3.org/1999/xhtml" class="battle scrubbing" style="width:${width}px;height:${height}px">${body}</div></foreignObject></svg>`
  );
}

/** A drawing as PNG, twice as large. @param {string} drawing @returns {Promise<Blob>} */
function painted(drawing) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => {
      const canvas = /** @type {any} */ (h("canvas", { width: 2 * image.width, height: 2 * image.height }));
      const context = canvas.getContext("2d");
      context.scale(2, 2);
      context.drawImage(image, 0, 0);
      try {
        canvas.toBlob((/** @type {Blob | null} */ blob) => (blob === null ? reject(new Error("this browser paints no pictures")) : resolve(blob)));
      } catch (error) {
        reject(error);
      }
    };
    image.onerror = () => reject(new Error("this browser paints no pictures"));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
  });
}

/**
 * The buttons below a result: what they are called and what they do.
 *
 * @param {any} player
 * @param {{ title: string, whole: (() => Promise<string>) | null }} page What the battle is called, and the page as one
 *   file, if it is about this battle.
 * @returns {[string, (say: (said: string) => void) => void][]}
 */
export function ways(player, { title, whole }) {
  const link = () => `${location.href.replace(/#.*$/u, "")}${player.place.address}t=${player.seconds.toFixed(1)}`;
  /** @type {[string, (say: (said: string) => void) => void][]} */
  const found = [];
  found.push([
    "Share",
    (say) => {
      if (isOnWeb()) copyText(link(), "The link to this moment is copied.", say);
      else say(`Send the file ${decodeURIComponent(location.pathname.split("/").at(-1) ?? "") || "itself"}: it holds the whole battle and needs no network. This moment is at ${player.clock.textContent}.`);
    },
  ]);
  if (whole !== null) {
    found.push([
      "Save as one file",
      (say) => {
        whole().then(
          (text) => (saveFile(`${fileName(title)}.html`, new Blob([text], { type: "text/html" })), say("The page is saved as one file.")),
          (error) => say(`The page cannot be saved: ${error.message}.`),
        );
      },
    ]);
  }
  if (isOnWeb()) {
    const name = title.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
    const frame = () => `<iframe src="${frameAddress()}" title="${name}" width="960" height="720" style="max-width: 100%" loading="lazy"></iframe>`;
    found.push(["Embed", (say) => void copyText(frame(), `Copied: ${frame()}`, say)]);
  }
  found.push([
    "Still",
    (say) => {
      const drawing = stillOf(player.screen);
      painted(drawing).then(
        (picture) => (saveFile(`${fileName(title)}.png`, picture), say("The picture is saved.")),
        () => (saveFile(`${fileName(title)}.svg`, new Blob([drawing], { type: "image/svg+xml" })), say("The picture is saved as SVG.")),
      );
    },
  ]);
  return found;
}
