/**
 * Of the API reference only its browser bundle is served, which holds all it needs. What its components would need beside it is 240 MB that
 * nothing loads.
 */
function readPackage(manifest) {
  if (manifest.name === '@scalar/api-reference') manifest.dependencies = {}
  return manifest
}

export const hooks = { readPackage }
