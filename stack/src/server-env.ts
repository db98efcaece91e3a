import { platforms } from '@carillon/contract'
import type { CarillonEnv } from '../services/carillon.ts'
import type { Certificate } from '../services/certificate.ts'
import type { Model } from '../services/model.ts'
import type { Postgres } from '../services/postgres.ts'
import type { Restate } from '../services/restate.ts'
import type { Simulator } from '../services/simulator.ts'
import type { StackPorts } from './choose-ports.ts'
import { realServicesEnv } from './real-services.ts'
import type { RealServices } from './stack-info.ts'

type RunningServices = {
  dir: string
  ports: StackPorts
  secretKeys: string
  postgres: Postgres
  restate: Restate
  simulator: Simulator
  model: Model
  certificate: Certificate
  realServices: RealServices
}

/** The settings with which the server uses the other services of the stack. */
export function serverEnv(stack: RunningServices): CarillonEnv {
  const { dir, ports, secretKeys, postgres, restate, simulator, model, certificate, realServices } = stack
  return {
    DATABASE_URL: postgres.url,
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    RESTATE_IDENTITY_KEYS: restate.identityKey,
    CARILLON_HOST: '127.0.0.1',
    CARILLON_PORT: String(ports.api),
    CARILLON_WORKER_PORT: String(ports.worker),
    CARILLON_WORKER_URL: `http://127.0.0.1:${ports.worker}`,
    CARILLON_PUBLIC_URL: `http://127.0.0.1:${ports.api}`,
    CARILLON_SECRET_KEYS: secretKeys,
    // The simulator charges nothing.
    CARILLON_PAID_FIGURES: platforms.join(','),
    // Tests sign up many people from one address.
    CARILLON_SIGN_UP: 'open',
    CARILLON_ACCOUNT_MAILS_PER_HOUR: '100000',
    CARILLON_EGRESS_ALLOW: '127.0.0.0/8',
    CARILLON_PLATFORM_ORIGINS: JSON.stringify(platformOrigins(simulator.url)),
    CARILLON_AI_URL: model.url,
    CARILLON_AI_MODEL: 'test-model',
    // The model of the stack costs nothing, and one person asks it in all tests.
    CARILLON_AI_DAILY_TOKENS_PER_PERSON: '0',
    CARILLON_AI_DAILY_TOKENS: '0',
    CARILLON_MEDIA_DIR: `${dir}/media`,
    NODE_EXTRA_CA_CERTS: certificate.certFile,
    ...realServicesEnv(realServices),
  }
}

/** Makes the server call the simulator instead of each platform. */
function platformOrigins(simulatorUrl: string): Record<string, string> {
  return Object.fromEntries(platforms.map((platform) => [platform, `${simulatorUrl}/${platform}`]))
}
