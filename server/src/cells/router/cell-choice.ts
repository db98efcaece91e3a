/** The cell for a request. `by` is the part of the request that named it, and `id` the id in that part, if it was one. */
export type CellChoice = {
  cell: number
  by: 'header' | 'path' | 'link' | 'state' | 'key' | 'cookie' | 'nothing'
  id: string | null
}
