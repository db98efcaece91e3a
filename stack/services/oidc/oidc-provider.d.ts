declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  /** The part that the tests use; the package has no types. */
  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): RequestListener
  }
}
