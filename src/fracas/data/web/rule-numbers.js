// @ts-check
/** Numbers of the rules themselves, which both sides play by: what if the last round were another? @module */

const rulesOf = () => [{ place: 0, side: 0, name: "Rules" }];

/**
 * Changes of options: what each number is called by where it is among the options, with the least and the most that
 * scenarios may say.
 *
 * @param {Record<string, [name: string, least: number, most: number]>} numbers
 * @returns {import("../studio/record.js").Change[]}
 */
export const ofRules = (numbers) =>
  Object.entries(numbers).map(([field, [name, least, most]]) => ({ ...{ name, least, most, owners: rulesOf }, paths: () => [`options.${field}`] }));
