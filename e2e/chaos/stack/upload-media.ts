import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { StackInfo } from '@carillon/stack'
import { fieldsOf, textOf } from '../client/json.ts'
import type { PostKind } from '../plan/platform-traits.ts'
import { makePdf, makePng, padMp4 } from '../../support/files.ts'

/** The ids of files in the media library, for each kind of post. */
export type MediaIds = Record<PostKind, string[]>

const clipBytes = 120_000

type Bytes = Uint8Array<ArrayBuffer>

/** Uploads the files that all seeds use. */
export async function uploadMedia(info: StackInfo): Promise<MediaIds> {
  const upload = async (bytes: Bytes, name: string): Promise<string> => {
    const form = new FormData()
    form.append('file', new File([bytes], name))
    const headers = { authorization: `Bearer ${info.apiKey}`, 'x-workspace-id': info.workspaceId }
    const response = await fetch(`${info.baseUrl}/media/upload`, { method: 'POST', headers, body: form })
    const body = fieldsOf(await response.json())
    const id = textOf(fieldsOf(body['data'])['id'])
    if (id === null) throw new Error(`${name} was not uploaded: ${JSON.stringify(body)}`)
    return id
  }
  const photos = [await upload(makePng(1), 'one.png'), await upload(makePng(2), 'two.png'), await upload(makePng(3), 'three.png')]
  return {
    text: [],
    photo: photos.slice(0, 1),
    carousel: photos,
    video: [await upload(await makeClip(), 'clip.mp4')],
    document: [await upload(makePdf(), 'paper.pdf')],
  }
}

/** A clip that every platform accepts: LinkedIn and Instagram want three seconds, LinkedIn 75 kB, TikTok 360 pixels. */
async function makeClip(): Promise<Bytes> {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-chaos-'))
  try {
    const file = join(dir, 'clip.mp4')
    const picture = ['-f', 'lavfi', '-i', 'color=c=teal:size=360x640:rate=24:duration=4']
    const sound = ['-f', 'lavfi', '-i', 'anullsrc=r=48000', '-t', '4']
    const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-movflags', '+faststart']
    await promisify(execFile)('ffmpeg', ['-v', 'error', ...picture, ...sound, ...coding, file])
    return padMp4(new Uint8Array(await readFile(file)), clipBytes)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
