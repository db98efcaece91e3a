import { parseArgs } from 'node:util'
import { startSimulator } from './index.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4010' },
    host: { type: 'string', default: '127.0.0.1' },
    'public-url': { type: 'string' },
    data: { type: 'string' },
  },
})

const publicUrl = values['public-url']
const simulator = await startSimulator({
  port: Number(values.port),
  host: values.host,
  dataDir: values.data,
  ...(publicUrl === undefined ? {} : { publicUrl }),
})
console.log(`simulator ready at ${simulator.url}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void simulator.close().then(() => process.exit(0))
  })
}
