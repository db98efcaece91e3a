/** The same text for equal JSON values, whatever the order of their keys. `readJson` has limited the depth of the value. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => (isObject(each) ? sortKeys(each) : each))
}

function sortKeys(object: object): object {
  return Object.fromEntries(Object.entries(object).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
