import { existsSync } from 'node:fs'
import type { Carillon, Media } from '@carillon/sdk'
import { UsageError } from '../cli-error.ts'
import { addFile } from '../media/add-file.ts'
import type { Terminal } from '../terminal.ts'

type Placed = { text: string; at: number }
export type PostFile = { media: Media; alt: string | null }

const idPattern = /^[0-9a-f]{24}$/

/** The files of a post, each with the alt text that stands behind it on the command line. Local files are uploaded; ids are of the library. */
export async function readFiles(
  given: { media: readonly Placed[]; alt: readonly Placed[] },
  library: Carillon['media'],
  terminal: Terminal,
): Promise<PostFile[]> {
  const paired = pairAlts(given)
  const files: PostFile[] = []
  for (const { name, alt } of paired) {
    const isId = idPattern.test(name) && !existsSync(name)
    files.push({ media: isId ? await library.get(name) : await addFile(library, name, terminal), alt })
  }
  return files
}

function pairAlts({ media, alt }: { media: readonly Placed[]; alt: readonly Placed[] }): { name: string; alt: string | null }[] {
  const paired = media.map(({ text }) => ({ name: text, alt: null as string | null }))
  for (const { text, at } of alt) {
    const index = media.findLastIndex((file) => file.at < at)
    const file = paired[index]
    if (file === undefined) throw new UsageError(`--alt "${text}" has no file before it. Write: --media FILE --alt TEXT`)
    if (file.alt !== null) throw new UsageError(`${file.name} has two alt texts. Write each behind its own --media.`)
    file.alt = text
  }
  return paired
}
