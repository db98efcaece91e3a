import type { Check } from './check.ts'
import { clock } from './checks/clock.ts'
import { databaseConnections } from './checks/database-connections.ts'
import { databaseLogins } from './checks/database-logins.ts'
import { database } from './checks/database.ts'
import { disk } from './checks/disk.ts'
import { engineDeployment } from './checks/engine-deployment.ts'
import { engine } from './checks/engine.ts'
import { mail } from './checks/mail.ts'
import { mediaPrograms } from './checks/media-programs.ts'
import { platformApps } from './checks/platform-apps.ts'
import { ports } from './checks/ports.ts'
import { proxyHeaders } from './checks/proxy-headers.ts'
import { publicAddress } from './checks/public-address.ts'
import { publicUrl } from './checks/public-url.ts'
import { schema } from './checks/schema.ts'
import { secretKeys } from './checks/secret-keys.ts'
import { sending } from './checks/sending.ts'
import { settings } from './checks/settings.ts'
import { signIn } from './checks/sign-in.ts'
import { storage } from './checks/storage.ts'
import { webApp } from './checks/web-app.ts'
import { workerAddress } from './checks/worker-address.ts'

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
