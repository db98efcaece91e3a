import { PDS, envToCfg, envToSecrets, readEnv } from '@atproto/pds'

const env = readEnv()
const pds = await PDS.create(envToCfg(env), envToSecrets(env))
await pds.start()
process.on('SIGTERM', async () => {
  await pds.destroy()
  process.exit(0)
})
