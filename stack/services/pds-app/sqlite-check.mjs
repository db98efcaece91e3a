// better-sqlite3 compiled with the wrong headers aborts at a natural garbage collection; an explicit gc() does not show it.
import Database from 'better-sqlite3'

const db = new Database(':memory:')
for (const end = Date.now() + 3000; Date.now() < end; await new Promise((done) => setTimeout(done, 1))) {
  for (let n = 0; n < 500; n++) {
    db.prepare(`select ${n}`).get()
    Array.from({ length: 200 }, () => ({}))
  }
}
