/** The class of an HTTP status, such as `2xx`: a label with few values. */
export function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`
}
