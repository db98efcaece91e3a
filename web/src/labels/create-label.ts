import type { Label } from '@carillon/sdk'
import { carillon } from '../api/client.ts'
import { markColors } from './mark-style.ts'

/** A label of this name, in the first colour that few others have. */
export function createLabel(
  name: string,
  { workspaceId, labels }: { workspaceId: string; labels: readonly Label[] },
): Promise<Label> {
  const uses = (color: string) => labels.filter((label) => label.color === color).length
  const [color = 'blue'] = markColors.toSorted((a, b) => uses(a) - uses(b))
  return carillon.labels.create({ name, color }, { workspaceId })
}
