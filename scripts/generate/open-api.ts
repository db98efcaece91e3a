import { endpoints } from '../../contract/src/endpoints.ts'
import { buildOpenApi } from '../../contract/src/openapi/build-open-api.ts'
import type { Job } from './job.ts'

export const openApiPath = 'contract/openapi.json'

/** The document as the other jobs read it: from the contract itself, so that all of them agree in one run. */
export const document = buildOpenApi(endpoints)

export const openApi: Job = {
  name: 'OpenAPI document',
  make: () => [{ path: openApiPath, text: `${JSON.stringify(document, null, 2)}\n` }],
}
