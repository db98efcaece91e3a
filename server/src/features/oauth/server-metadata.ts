import type { Config } from '../../config.ts'
import { grantTypes } from './issue-tokens.ts'
import { type ResourceName, offeredScopes, resourceUrl } from './rights.ts'

/** The name of this authorization server, which is also in every answer to a redirect. */
export function issuerOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `${publicUrl}/oauth`
}

/** RFC 8414. Both `client_id_metadata_document_supported` and the method `none` are needed for clients to use their document. */
export function serverMetadata(config: Config) {
  const issuer = issuerOf(config)
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    device_authorization_endpoint: `${issuer}/device`,
    ...(config.oauthRegistration === 'open' && { registration_endpoint: `${issuer}/register` }),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    scopes_supported: offeredScopes('api'),
    ui_locales_supported: ['en', 'de'],
    service_documentation: `${config.publicUrl}/docs`,
  }
}

/** RFC 9728. */
export function resourceMetadata(config: Config, resource: ResourceName) {
  return {
    resource: resourceUrl(config.publicUrl, resource),
    authorization_servers: [issuerOf(config)],
    scopes_supported: offeredScopes(resource),
    bearer_methods_supported: ['header'],
    resource_name: config.operator.name,
  }
}
