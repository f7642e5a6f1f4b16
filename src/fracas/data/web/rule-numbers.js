// @ts-check
/** Numbers and choices of the rules themselves, which both sides play by: what if the last round were another? @module */

import { RULES } from "../studio/record.js";

const rulesOf = () => [{ place: 0, side: 0, name: RULES }];

/**
 * Changes of options: what each number is called by where it is in the record, with the least and the most that scenarios
 * may say.
 *
 * @param {Record<string, [name: string, least: number, most: number]>} numbers
 * @param {string} [table] Where the record has them.
 * @returns {import("../studio/record.js").Change[]}
 */
export const ofRules = (numbers, table = "options") =>
  Object.entries(numbers).map(([field, [name, least, most]]) => ({ ...{ name, least, most, owners: rulesOf }, paths: () => [`${table}.${field}`] }));

/**
 * Choices of options: what each is called by where it is among the options, with its words in the order of their numbers;
 * without words it is yes or no.
 *
 * @param {Record<string, [name: string, ...words: string[]]>} options
 * @returns {import("../studio/record.js").Choice[]}
 */
export const wordsOfRules = (options) =>
  Object.entries(options).map(([field, [name, ...words]]) => ({
    ...{ part: "rules", name, owners: rulesOf, labels: () => (words.length > 0 ? words : ["no", "yes"]) },
    now: (record) => record.get(`options.${field}`),
    take: (record, _place, number) => record.set(`options.${field}`, number),
  }));
