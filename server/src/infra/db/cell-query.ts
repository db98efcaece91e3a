/** The name of the parameter with which a link names its cell to a router. */
export const cellParameter = 'cell'

/** What a link in a mail needs at its end, because a browser that has never been here has no cookie that names the cell. */
export function cellQuery({ cell }: { cell: number }): string {
  return cell === 0 ? '' : `&${cellParameter}=${cell}`
}
