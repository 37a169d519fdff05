public import Foundation

/// Returns the path of a built program, which is next to the program that runs the tests.
public func builtProgram(_ name: String) -> URL {
  let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
  let tests = bundles.first ?? URL(filePath: CommandLine.arguments[0])
  return tests.deletingLastPathComponent().appending(component: name)
}
