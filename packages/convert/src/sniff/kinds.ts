/**
 * What a file can be taken for: for each kind what it is, in words that complete "this is …", and what
 * a person may do about it where a tensor file was expected.
 */
const ROWS = [
  ['empty', 'an empty file', 'fetch it again'],
  ['kiln-directory', 'a Kiln directory', 'open it as Kiln'],
  ['kiln-frame', 'a Kiln frame', 'open it as Kiln'],
  ['safetensors', 'a safetensors file', 'open it as safetensors'],
  ['safetensors-index', 'the index of a sharded safetensors set', 'open it as such, with its folder'],
  ['gguf', 'a GGUF file', 'open it as GGUF'],
  ['npy', 'an NPY file', 'open it as NPY'],
  ['npz', 'an NPZ archive', 'open it as NPZ'],
  ['onnx', 'an ONNX model', 'open it as ONNX'],
  ['tensorproto', 'a single ONNX tensor (TensorProto)', 'open it as such'],
  ['tfjs', 'a TensorFlow.js model or weights manifest', 'open it as such, with its folder'],
  [
    'pytorch-zip',
    'a PyTorch checkpoint (a ZIP with a pickle in it)',
    'convert it to safetensors where it came from: a pickle can run code and is not read',
  ],
  ['pickle', 'a Python pickle', 'convert it to safetensors where it came from: a pickle can run code and is not read'],
  ['zip', 'a ZIP archive', 'unpack it and give the file inside'],
  ['hdf5', 'an HDF5 file (Keras, or MATLAB)', 'convert it to safetensors or NPZ first'],
  ['tflite', 'a TensorFlow Lite model', 'convert it to ONNX or safetensors first'],
  ['ggml', 'a GGML file from before GGUF', 'convert it to GGUF with a llama.cpp of its time'],
  ['git-lfs-pointer', 'a Git LFS pointer, not the file that it stands for', 'run `git lfs pull` in its repository'],
  ['html', 'an HTML page', 'fetch it again: a server answered with a page, perhaps to log in'],
  ['xml', 'an XML document', 'fetch it again: a server may have answered with an error'],
  ['protobuf-text', 'a protobuf message in its text form', 'give the binary form'],
  ['json', 'a JSON text', 'give the file that it belongs to'],
  ['text', 'plain text', 'give the binary file'],
  ['gzip', 'a gzip file', 'unpack it first'],
  ['zstd', 'a Zstandard file', 'unpack it first'],
  ['xz', 'an xz file', 'unpack it first'],
  ['bzip2', 'a bzip2 file', 'unpack it first'],
  ['7z', 'a 7-Zip archive', 'unpack it first'],
  ['tar', 'a tar archive', 'unpack it first'],
  ['unknown', 'of no kind that Kiln knows', 'check that it is the right file, and whole'],
] as const

/** The name of a kind of file. */
export type FileKindName = (typeof ROWS)[number][0]

/** A kind of file, as {@link sniff} finds it. */
export interface FileKind {
  readonly name: FileKindName
  /** Completes "this is …". */
  readonly what: string
  /** What to do where another kind was expected. */
  readonly advice: string
}

const kinds = new Map<FileKindName, FileKind>()
for (const [name, what, advice] of ROWS) kinds.set(name, Object.freeze({ name, what, advice }))

export function fileKind(name: FileKindName): FileKind {
  return kinds.get(name)!
}
