import { text } from 'node:stream/consumers'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const blob = ts.factory.createTypeReferenceNode('Blob')

// An OpenAPI document comes in, its TypeScript types go out.
const document = await text(process.stdin)
const types = await openapiTS(document, {
  alphabetize: true,
  // A file in a form: the document can only say that it is bytes.
  transform: (schema) => ('contentMediaType' in schema && schema.type === 'string' ? blob : undefined),
})
process.stdout.write(astToString(types))
