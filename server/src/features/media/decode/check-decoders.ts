import type { Context } from '../../../context.ts'
import { decoderSandbox } from './decoder-sandbox.ts'

/** What an installation cannot do without a program. */
const programs: Readonly<Record<string, string>> = {
  ffmpeg: 'videos are refused',
  ffprobe: 'videos are refused',
  pdftoppm: 'documents have no thumbnails',
  prlimit: 'the memory of decoders is not limited',
}

/**
 * Finds out at start how decoders are confined here and which programs are missing, and logs what is weaker or refused. Throws if the
 * installation requires the full sandbox and the machine cannot provide it.
 */
export async function checkDecoders(ctx: Context): Promise<void> {
  const { log, config } = ctx
  const { sandbox } = await decoderSandbox(ctx)
  for (const [program, effect] of Object.entries(programs)) {
    if (sandbox.findProgram(program) === null) log.warn({ program }, `${program} is not installed: ${effect}`)
  }
  const { level, hasOwnUser, weaker, unavailable } = sandbox
  if (weaker.length === 0) return log.info({ sandbox: level, hasOwnUser }, 'media files are opened in a sandbox')
  const message = `media files are opened with less protection than bubblewrap gives. ${weaker.join(' ')}`
  if (config.media.sandbox === 'require') throw new SandboxRequired(`${message} (${unavailable.join('; ')})`)
  log.warn({ sandbox: level, hasOwnUser, unavailable }, message)
}

/** The installation requires the full sandbox (`CARILLON_MEDIA_SANDBOX=require`), and the machine cannot provide it. */
export class SandboxRequired extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SandboxRequired'
  }
}
