; Types and methods

(package_declaration (_) @name) @namespace

(class_declaration name: (identifier) @name body: (_) @body) @class
(interface_declaration name: (identifier) @name body: (_) @body) @interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @interface
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(record_declaration name: (identifier) @name body: (_) @body) @record
(method_declaration name: (identifier) @name body: (block) @body) @method
(constructor_declaration name: (identifier) @name body: (_) @body) @method

(superclass (_) @extends)
(super_interfaces (type_list (_) @implements))
(extends_interfaces (type_list (_) @extends))

; What is said of them

[(line_comment) (block_comment)] @comment

; Imports

(import_declaration
  "static"? @static
  [(identifier) (scoped_identifier)] @from
  (asterisk)? @wildcard) @import

; Calls

(method_invocation !object name: (identifier) @call)
(method_invocation object: (this) name: (identifier) @self_call)
