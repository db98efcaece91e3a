import type { Check } from './check.ts'
import { database, databaseConnections, databaseLogins, schema, storageUse } from './checks/database.ts'
import { engine, engineDeployment, sending, workerAddress } from './checks/engine.ts'
import { clock, disk, mediaPrograms, ports, settings, webApp } from './checks/machine.ts'
import { proxyHeaders, publicAddress, publicUrl, signIn } from './checks/public-access.ts'
import { secretKeys } from './checks/secret-keys.ts'
import { mail, platformApps, storage } from './checks/services.ts'

/** Every check of `carillon doctor`, in the order in which the findings are printed. */
export const checks: readonly Check[] = [
  settings,
  database,
  schema,
  databaseLogins,
  databaseConnections,
  secretKeys,
  engine,
  engineDeployment,
  workerAddress,
  sending,
  storage,
  storageUse,
  disk,
  mediaPrograms,
  mail,
  signIn,
  clock,
  ports,
  webApp,
  publicUrl,
  publicAddress,
  proxyHeaders,
  platformApps,
]
