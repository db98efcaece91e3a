/** The values of a query parameter that are separated by commas; null if the parameter is absent. */
export function splitList<T extends string = string>(list: string | undefined): T[] | null {
  return list ? (list.split(',') as T[]) : null
}

/** The pattern of `ilike` that finds a text anywhere. */
export function containsPattern(search: string): string {
  return `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
