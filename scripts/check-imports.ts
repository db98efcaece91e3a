import { packageComplaints, type Complaint, type SourceFile } from './check/imports.ts'
import { manifestComplaints } from './check/manifest-rules.ts'
import { environmentComplaints, serverComplaints } from './check/server-rules.ts'
import { readSourceFiles } from './check/source-files.ts'

const rules = [packageComplaints, environmentComplaints, serverComplaints, manifestComplaints]

/** Who may import whom, between our packages and inside the server. */
export function checkImports(files: readonly SourceFile[]): Complaint[] {
  const code = files.filter(({ path }) => /\.tsx?$/.test(path) && !path.endsWith('.gen.ts'))
  return code.flatMap((file) => rules.flatMap((rule) => rule(file)))
}

if (import.meta.main) {
  const complaints = checkImports(await readSourceFiles())
  for (const { path, problem } of complaints) console.error(`${path}: ${problem}`)
  process.exitCode = complaints.length > 0 ? 1 : 0
}
