import { UsageError } from '../cli-error.ts'
import { defineCommand } from '../line/command.ts'
import { optionalText } from '../line/option.ts'
import { listMedia } from '../output/list-media.ts'
import { openSession, sessionOptions } from '../profiles/open-session.ts'
import { addFile } from '../media/add-file.ts'

export const mediaAdd = defineCommand({
  details:
    'Uploads files to the media library. A file of 16 MiB or more is sent in parts; if that is interrupted, the same command goes on. The same file ' +
    'under the same name is added once in 24 hours.',
  examples: ['carillon media add tower.jpg --alt "The tower at noon"', 'carillon media add *.jpg'],
  words: { placeholder: 'FILE…', about: 'The files.', min: 1, max: 100 },
  options: {
    alt: optionalText({ placeholder: 'TEXT', about: 'What people hear who cannot see the file. Only for one file.' }),
    ...sessionOptions,
  },
  async run({ alt, ...wanted }, paths, { terminal }) {
    if (alt !== null && paths.length > 1) throw new UsageError('--alt describes one file. Add the files one by one.')
    const { carillon } = await openSession(wanted, terminal.env)
    const added = []
    for (const path of paths) {
      const file = await addFile(carillon.media, path, terminal)
      added.push(alt === null ? file : await carillon.media.update(file.id, { alt }))
    }
    return { data: added, text: listMedia(added, terminal) }
  },
})
