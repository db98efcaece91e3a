import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '@carillon/stack/services'

/** The program that a guide shows below the comment `<!-- program: <file> -->`. */
export async function readGuideProgram(guide: string, file: string): Promise<string> {
  const text = await readFile(join(root, `docs/guides/${guide}.md`), 'utf8')
  const program = text.split(`<!-- program: ${file} -->`)[1]?.match(/```\w+\n(.*?)```/s)?.[1]
  if (!program) throw new Error(`docs/guides/${guide}.md has no program ${file}`)
  return program
}
