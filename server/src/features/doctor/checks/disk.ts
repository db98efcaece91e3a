import { fail, ok, warn, type Check } from '../check.ts'

const bytesMin = 256 * 1024 ** 2
const gib = 1024 ** 3

export const disk: Check = {
  name: 'disk',
  isQuick: true,
  async run({ config: { media }, machine }) {
    const free = await machine.freeBytes(media.dir)
    const amount = `${(free / gib).toFixed(1)} GiB`
    if (free < bytesMin)
      return fail(`The disk of ${media.dir} is almost full: ${amount} are free.`, 'Free some space, or use a larger disk.')
    if (free < media.sizeBytesMax)
      return warn(
        `The disk of ${media.dir} has ${amount} free, which is less than the largest file that is accepted.`,
        'Free some space, use a larger disk, or lower CARILLON_MEDIA_BYTES_MAX.',
      )
    return ok(`The disk of ${media.dir} has ${amount} free.`)
  },
}
