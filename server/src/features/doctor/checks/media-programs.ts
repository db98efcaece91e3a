import { fail, ok, warn, type Check } from '../check.ts'

const effects: Readonly<Record<string, string>> = {
  ffmpeg: 'videos are refused',
  ffprobe: 'videos are refused',
  pdftoppm: 'documents have no thumbnails',
  prlimit: 'the memory of decoders is not limited',
  bwrap: 'decoders have a weaker sandbox',
}

/** Debian's names. */
const packages: Readonly<Record<string, string>> = {
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffmpeg',
  pdftoppm: 'poppler-utils',
  prlimit: 'util-linux',
  bwrap: 'bubblewrap',
}

export const mediaPrograms: Check = {
  name: 'media-programs',
  isQuick: true,
  async run({ config: { media }, machine }) {
    const missing = Object.keys(effects).filter((program) => machine.findProgram(program) === null)
    if (missing.length === 0) return ok('All programs that open media files are installed.')
    const message = `Not installed: ${missing.map((program) => `${program} (${effects[program]})`).join(', ')}.`
    const install = [...new Set(missing.map((program) => packages[program]))].join(' ')
    const action = `Install them, on Debian with: apt-get install ${install}`
    // A server that requires the full sandbox does not start without this program.
    return media.sandbox === 'require' && missing.includes('bwrap') ? fail(message, action) : warn(message, action)
  },
}
