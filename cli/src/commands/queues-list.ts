import { defineCommand } from '../line/command.ts'
import { cleanText } from '../output/clean-text.ts'
import { printTable } from '../output/print-table.ts'
import { openSession, sessionOptions } from '../profiles/open-session.ts'

export const queuesList = defineCommand({
  details:
    'Prints the queues, oldest first, with the next slot that is free. The first one is what post create --next-free-slot uses.',
  examples: ['carillon queues list'],
  options: sessionOptions,
  async run(values, _words, { terminal }) {
    const { carillon } = await openSession(values, terminal.env)
    const queues = await carillon.queues.list()
    const found = await Promise.all(
      queues.map(async (queue) => {
        const { slots, timezone } = await carillon.queues.slots(queue.id, { free: 'true', limit: 1 })
        return { ...queue, nextFree: slots[0] ?? null, zone: timezone }
      }),
    )
    const rows = found.map(({ id, name, slots, nextFree, zone }) => [
      id,
      String(slots.length),
      nextFree === null ? '-' : `${nextFree.wall.slice(0, 16).replace('T', ' ')} (${zone})`,
      cleanText(name),
    ])
    const text = rows.length === 0 ? 'No queues.' : printTable(['ID', 'SLOTS', 'NEXT FREE', 'NAME'], rows, terminal)
    return { data: found.map(({ zone: _zone, ...queue }) => queue), text }
  },
})
