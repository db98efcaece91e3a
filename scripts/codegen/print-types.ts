import { text } from 'node:stream/consumers'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const blob = ts.factory.createTypeReferenceNode('Blob')

// Reads an OpenAPI document from stdin and prints its TypeScript types.
const document = await text(process.stdin)
const types = await openapiTS(document, {
  alphabetize: true,
  // A file in a form is a Blob in TypeScript; the document can only describe it as bytes.
  transform: (schema) => ('contentMediaType' in schema && schema.type === 'string' ? blob : undefined),
})
process.stdout.write(astToString(types))
