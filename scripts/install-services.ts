import { installCeph } from '../stack/services/ceph.ts'
import { exitWithHelp } from '../stack/src/exit-with-help.ts'
import { installGhost } from '../stack/services/ghost/ghost-install.ts'
import { installPds } from '../stack/services/pds/pds-install.ts'
import { installSnac } from '../stack/services/snac.ts'
import { installWordpress } from '../stack/services/wordpress/wordpress-install.ts'

exitWithHelp('node scripts/install-services.ts   installs the real servers that tests publish to')

/** Each returns the reason if the server cannot be installed. Tests with snac or WordPress are skipped then; the other servers are required. */
const installs: Record<string, () => Promise<string | undefined>> = {
  'Ceph (S3)': async () => {
    await installCeph()
    return undefined
  },
  'snac (Mastodon)': installSnac,
  WordPress: installWordpress,
  'Bluesky PDS': async () => {
    await installPds((line) => console.log(`  ${line}`))
    return undefined
  },
  // After the PDS, from which it takes what was compiled.
  Ghost: async () => {
    await installGhost()
    return undefined
  },
}

for (const [name, install] of Object.entries(installs)) {
  const begin = performance.now()
  const missing = await install().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
  const took = `(${((performance.now() - begin) / 1000).toFixed(1)} s)`
  console.log(missing === undefined ? `✔ ${name} ${took}` : `– ${name} is not installed ${took}: ${missing}`)
}
