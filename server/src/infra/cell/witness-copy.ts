import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { FileMissing, type Storage } from '../storage/storage.ts'
import { parseWitness } from './parse-witness.ts'
import type { Witness } from './witness.ts'

/** Not in the folder of any workspace, and never served to anyone. */
const copyKey = '.carillon/witness.json'

/** The copy beside the media files; null when there is none. It is needed when the engine was emptied or set back too. */
export async function readWitnessCopy(storage: Storage): Promise<Witness | null> {
  try {
    return parseWitness(await text(await storage.get(copyKey)))
  } catch (error) {
    if (error instanceof FileMissing) return null
    throw error
  }
}

export async function writeWitnessCopy(storage: Storage, witness: Witness): Promise<void> {
  await storage.put(copyKey, Readable.from([Buffer.from(JSON.stringify(witness))]), { mimeType: 'application/json' })
}
