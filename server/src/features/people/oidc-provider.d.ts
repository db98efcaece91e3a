declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  /** What the tests need of it; the package brings no types. */
  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): RequestListener
  }
}
