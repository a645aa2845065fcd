import eslint from '@eslint/js'
import tseslint from 'typescript-eslint'

// Files whose 32-bit operators work on bytes, codes, flags and check sums, never on sizes or offsets.
const onCodes = [
  'packages/kiln/src/frame/decode.ts',
  'packages/kiln/src/frame/header.ts',
  'packages/kiln/src/frame/schema-choice.ts',
  'packages/kiln/src/bytes/crc32.ts',
  'packages/kiln/src/bytes/crc32-combine.ts',
  'packages/kiln/src/bytes/text-cache.ts',
  'packages/kiln/src/bytes/utf8.ts',
  'packages/kiln/src/schema/hash.ts',
  'packages/kiln/src/tensors/name-index.ts',
  'packages/kiln/src/numeric/**',
  'packages/convert/src/npz/crc32.ts',
  'packages/convert/src/onnx/sha1.ts',
]

export default tseslint.config(
  {
    ignores: ['**/dist/**', '**/node_modules/**', '**/coverage/**', '**/.tmp/**', '**/golden/**', 'docs/.vitepress/**', 'docs/api/**', 'docs/public/inspector/**', 'reports/**', 'bench/.generated/**'],
  },
  eslint.configs.recommended,
  tseslint.configs.strict,
  {
    rules: {
      'max-lines': ['error', { max: 400 }],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-undef': 'off',
      eqeqeq: 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false }],
      // `a[i]!` behind a loop's bound says that the bound was checked; the compiler flag that asks for it stays on.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
  {
    files: ['packages/*/src/**/*.ts'],
    ignores: onCodes,
    rules: { 'no-bitwise': 'error' },
  },
)
