/** The values of a query parameter that are separated by commas; null if the parameter is absent. */
export function splitList<T extends string = string>(list: string | undefined): T[] | null {
  return list ? (list.split(',') as T[]) : null
}
