import { parseArgs } from 'node:util'
import { startModel } from './start-model.ts'

const { values } = parseArgs({
  options: { port: { type: 'string', default: '4020' }, host: { type: 'string', default: '127.0.0.1' } },
})
const running = await startModel({ port: Number(values.port), host: values.host })
console.log(`model ready at ${running.url}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void running.close().then(() => process.exit(0))
  })
}
