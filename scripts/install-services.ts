import { installCeph } from '../stack/services/ceph.ts'
import { installPds } from '../stack/services/pds/pds-install.ts'
import { installSnac } from '../stack/services/snac.ts'

/** Each returns the reason if the server cannot be installed. Tests with snac are skipped then; the other servers are required. */
const installs: Record<string, () => Promise<string | undefined>> = {
  'Ceph (S3)': async () => {
    await installCeph()
    return undefined
  },
  'snac (Mastodon)': installSnac,
  'Bluesky PDS': async () => {
    await installPds((line) => console.log(`  ${line}`))
    return undefined
  },
}

for (const [name, install] of Object.entries(installs)) {
  const begin = performance.now()
  const missing = await install().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
  const took = `(${((performance.now() - begin) / 1000).toFixed(1)} s)`
  console.log(missing === undefined ? `✔ ${name} ${took}` : `– ${name} is not installed ${took}: ${missing}`)
}
