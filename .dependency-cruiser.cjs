// Who may import whom. ARCHITECTURE.md has the picture.
const core = '^packages/kiln/src/'

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    {
      name: 'no-barrel-from-inside',
      comment: 'A package imports its own files, never its own index.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/src/(?!index\\.ts$)' },
      to: { path: '^packages/$1/src/index\\.ts$' },
    },
    {
      name: 'numeric-apart',
      comment: 'Conversions are the caller\'s choice: nothing of the format imports them.',
      severity: 'error',
      from: { path: core, pathNot: `${core}numeric/` },
      to: { path: `${core}numeric/` },
    },
    {
      name: 'core-without-platform',
      severity: 'error',
      from: { path: '^packages/(kiln/src/(?!node/)|convert/src/)' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'core-without-node-entry',
      severity: 'error',
      from: { path: core, pathNot: `${core}node/` },
      to: { path: `${core}node/` },
    },
    {
      name: 'format-without-dependencies',
      severity: 'error',
      from: { path: core },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'bytes-know-nothing',
      comment: 'The lowest layer knows errors and limits, and no part of the format.',
      severity: 'error',
      from: { path: `${core}bytes/` },
      to: { path: `${core}(?!bytes/|errors/|limits/)` },
    },
    {
      name: 'tensors-below-frames',
      severity: 'error',
      from: { path: `${core}(schema|tensors|frozen)/` },
      to: { path: `${core}(frame|sources|lazy|node|walk|numeric|runtime)/`, dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|test)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'], extensions: ['.ts', '.js', '.json'] },
  },
}
