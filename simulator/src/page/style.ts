export const style = `
:root { color-scheme: light dark; --ground: #f4f4f1; --card: #fff; --ink: #1c1d1f; --quiet: #65676b; --line: #e3e3de }
@media (prefers-color-scheme: dark) { :root { --ground: #15161a; --card: #1f2126; --ink: #ececee; --quiet: #9a9ca3; --line: #30333a } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.45 system-ui, -apple-system, 'Segoe UI', sans-serif }
a { color: inherit; text-decoration: none }
a:hover { text-decoration: underline }
.top { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .75rem; padding: 1.1rem clamp(1rem, 3vw, 2rem) .4rem }
.top h1 { font-size: 1.25rem; margin: 0; letter-spacing: -.01em }
.top p, .quiet { color: var(--quiet); margin: 0; font-size: .85rem }
#feed {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); gap: 1rem;
  padding: .8rem clamp(1rem, 3vw, 2rem) 3rem; align-items: start
}
#feed.single { display: block; max-width: 38rem; margin: 0 auto }
.column > h2 {
  display: flex; align-items: center; gap: .5rem; font-size: .95rem; margin: 0 0 .6rem; padding-bottom: .5rem;
  border-bottom: 3px solid var(--platform)
}
.column > h2 span { margin-left: auto; font-weight: 400; color: var(--quiet); font-size: .8rem }
.post {
  background: var(--card); border: 1px solid var(--line); border-radius: .8rem; padding: .75rem .85rem;
  margin-bottom: .6rem; overflow-wrap: anywhere
}
.post header { display: flex; align-items: center; gap: .6rem; font-size: .88rem }
.post header time { margin-left: auto; color: var(--quiet); font-size: .78rem; white-space: nowrap }
.post header b { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0 }
.avatar {
  flex: none; width: 2rem; height: 2rem; border-radius: 50%; display: grid; place-items: center; color: #fff;
  font-size: .72rem; font-weight: 650
}
.post .text { white-space: pre-wrap; margin: .5rem 0 0 }
.post.deleted { opacity: .55 }
.post.deleted .text { text-decoration: line-through }
.tag { font-size: .7rem; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .45rem; color: var(--quiet) }
.replies { margin: -.15rem 0 .6rem .9rem; padding-left: .7rem; border-left: 2px solid var(--line) }
.media { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: .35rem; margin-top: .6rem }
.media img, .media video, .media .file { width: 100%; height: 9rem; object-fit: cover; border-radius: .5rem; background: var(--line) }
.media .file { display: grid; place-items: center; color: var(--quiet); font-size: .8rem }
.empty { color: var(--quiet); border: 1px dashed var(--line); border-radius: .8rem; padding: 1.2rem; text-align: center; font-size: .88rem }
.consent {
  max-width: 24rem; margin: 12vh auto; background: var(--card); border: 1px solid var(--line);
  border-top: 4px solid var(--platform); border-radius: .8rem; padding: 1.5rem
}
.consent h1 { margin: 0 0 .6rem; font-size: 1.25rem }
.consent small { color: var(--quiet); font-weight: 400 }
.consent label { display: block; margin: 1rem 0; font-size: .9rem }
.consent input {
  display: block; width: 100%; margin-top: .25rem; padding: .5rem .6rem; font: inherit;
  border: 1px solid var(--line); border-radius: .5rem; background: var(--ground); color: var(--ink)
}
.buttons { display: flex; gap: .6rem }
button { font: inherit; padding: .5rem 1rem; border: 0; border-radius: .5rem; background: var(--platform); color: #fff; cursor: pointer }
button.quiet { background: none; color: var(--quiet) }
`
