import { endpoints, endpointsBesideApi } from '../../contract/src/endpoints.ts'
import { buildOpenApi } from '../../contract/src/openapi/build-open-api.ts'
import { readVersion } from '../release/versions.ts'
import type { FileGenerator } from './file-generator.ts'

export const openApiPath = 'contract/openapi.json'

/** Built from the contract and not read from the file, so that all generators use the same version in one run. */
export const document = buildOpenApi([...endpoints, ...endpointsBesideApi], await readVersion())

export const openApi: FileGenerator = {
  name: 'OpenAPI document',
  make: () => [{ path: openApiPath, text: `${JSON.stringify(document, null, 2)}\n` }],
}
